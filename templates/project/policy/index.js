// Add rules of your own to the list. Nothing may be printed before the pack is up.
import { PolicyPack } from "@pulumi/policy";
import { policies } from "arcflux/policy";

new PolicyPack("arcflux", { policies: [...policies], enforcementLevel: "mandatory" });
