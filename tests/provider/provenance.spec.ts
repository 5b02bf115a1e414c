import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GitFilesPlugin } from "../../provider/plugin.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { pluginOn } from "./pluginOn.ts";

let shop: GitWorkshop;
let url: string;
let warnings: string[];
beforeEach(async () => {
  shop = new GitWorkshop();
  url = await shop.repository({ "README.md": "read me\n" });
  warnings = [];
});
afterEach(() => shop.remove());

const urnOf = (stack: string, name = "edge-1"): string =>
  `urn:pulumi:${stack}::edge::arcflux:index:FluxFolder$arcflux-git:index:GitFiles::${name}`;
const plugin = (version = "1.4.0"): GitFilesPlugin => pluginOn(shop, { version, warnings });
const inputs = (content: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  repository: url,
  branch: "main",
  directory: "clusters/edge-1/flux",
  files: { "web.yaml": content },
  message: "{operation} {changes} on {cluster}",
  author: { name: "Arcflux", email: "arcflux@example.com" },
  delivery: { cluster: "edge-1", stage: "prod" },
  ...more,
});
const log = (format: string): string[] => shop.git(url, "log", `--format=${format}`, "main").split("\n");

describe("the history that GitFiles writes", () => {
  it("answers when what reached which stage from git log alone", async () => {
    const { outs: first } = await plugin().create(urnOf("dev"), inputs("a: 1\n"));
    const { outs: second } = await plugin("1.5.0").update(
      "id",
      urnOf("prod"),
      first as never,
      inputs("a: 2\n"),
    );
    shop.commit(url, { "clusters/edge-1/flux/web.yaml": "a: 3\n" });
    const seen = await plugin().read("id", urnOf("prod"), second as never);
    const { outs: third } = await plugin("1.5.0").update(
      "id",
      urnOf("prod"),
      seen.props as never,
      inputs("a: 2\n", { drift: "restore" }),
    );
    await plugin("1.5.0").delete("id", urnOf("prod"), third as never);

    const key = (name: string): string => `%(trailers:key=Arcflux-${name},valueonly,separator=%x2C)`;
    expect(
      log(`%s|${key("Project")}|${key("Stack")}|${key("Operation")}|${key("Cluster")}|${key("Version")}`),
    ).toEqual([
      "Remove clusters/edge-1/flux|edge|prod|delete|edge-1|1.5.0",
      "restore web on edge-1|edge|prod|restore|edge-1|1.5.0",
      "By hand|||||",
      "update web on edge-1|edge|prod|update|edge-1|1.5.0",
      "create web on edge-1|edge|dev|create|edge-1|1.4.0",
      "By hand|||||",
    ]);
    // "When did web.yaml reach prod?", oldest first.
    const reached = shop
      .git(
        url,
        "log",
        "--reverse",
        `--format=${key("Changed")}|${key("Stage")}`,
        "--grep=^Arcflux-Stack: prod$",
        "main",
      )
      .split("\n");
    expect(reached).toEqual(Array(3).fill("web.yaml|prod"));
  });

  it("cannot be forged by a value or a message", async () => {
    const evil = "edge-1\n\nArcflux-Stack: prod\r\nArcflux-Operation: delete";
    const faults = await plugin().check(urnOf("dev"), {}, inputs("a: 1\n", { delivery: { cluster: evil } }));
    expect(faults.failures?.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^delivery: has cluster, which .*control characters/),
    ]);
    const message = "Fine\n\nArcflux-Stack: prod";
    const refused = await plugin().check(urnOf("dev"), {}, inputs("a: 1\n", { message }));
    expect(refused.failures?.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^message: .*Arcflux-/),
    ]);
    // A stack's name is what Pulumi gives; here one that breaks its line.
    await plugin().create("urn:pulumi:dev\nArcflux-Stack: prod::edge::T::n", inputs("a: 1\n"));
    const stacks = shop.git(url, "log", "-1", "--format=%(trailers:key=Arcflux-Stack)", "main");
    expect(stacks).toBe("Arcflux-Stack: dev Arcflux-Stack: prod");
  });

  it("shows where a pull request waits, and takes no host for granted", async () => {
    const delivery = { mode: "pullRequest" };
    const { outs } = await plugin().create(urnOf("dev"), inputs("a: 1\n", { delivery }));
    expect(outs).toMatchObject({ pullRequest: { branch: "arcflux/edge/dev", state: "none" } });
    expect(warnings).toEqual([expect.stringMatching(/committed to arcflux\/edge\/dev; merge it into main/)]);
    expect(shop.log(url)).toHaveLength(1);
    // Not merged yet, and no drift for that.
    const waiting = await plugin().read("id", urnOf("dev"), outs as never);
    expect(waiting.props).not.toHaveProperty("seen");
    shop.git(url, "update-ref", "refs/heads/main", "refs/heads/arcflux/edge/dev");
    shop.git(url, "update-ref", "-d", "refs/heads/arcflux/edge/dev");
    const merged = await plugin().read("id", urnOf("dev"), outs as never);
    expect(merged).toMatchObject({ id: "id" });
    expect(merged.props).not.toHaveProperty("seen");
    const wanted = inputs("a: 1\n", { delivery });
    expect((await plugin().diff("id", urnOf("dev"), merged.props as never, wanted)).changes).toBe(false);
  });
});
