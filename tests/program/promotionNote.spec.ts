import { describe, expect, it } from "vitest";

import { promotionNote } from "../../program/promotionNote.ts";

describe("the note on promotion", () => {
  it("is absent where the cluster follows the branch that is committed to", () => {
    expect(promotionNote({ follows: "main" }, "main")).toBeUndefined();
  });

  it("says what the followed branch lacks and which stage it comes from, and is gone when that is nothing", () => {
    const cluster = { follows: "prod", stage: "prod", promotedFrom: { stage: "dev", branch: "dev" } };
    expect(promotionNote(cluster, "main", ["clusters/a/flux/pos.yaml", "clusters/a/flux/web.yaml"])).toBe(
      "prod, which the cluster follows, lacks clusters/a/flux/pos.yaml and 1 more, and gets them by promotion from stage dev: arcflux promote prod.",
    );
    expect(promotionNote(cluster, "main", [])).toBeUndefined();
  });

  it("names both branches and the command", () => {
    expect(promotionNote({ follows: "prod", stage: "prod" }, "main")).toBe(
      "The files are committed to main; the cluster follows prod, and gets them by promotion: arcflux promote prod.",
    );
  });
});
