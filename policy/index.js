// Plain JavaScript, since Pulumi's host type-checks a TypeScript entry at every start (seconds); Node strips the
// types of what it imports. Nothing may be printed before the pack is up: the first line is the port.
import { PolicyPack } from "@pulumi/policy";

import { policies } from "./policies.ts";

new PolicyPack("arcflux", { policies, enforcementLevel: "mandatory" });
