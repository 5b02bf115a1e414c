import { describe, expect, it } from "vitest";

import { promotionNote } from "../../program/promotionNote.ts";

describe("the note on promotion", () => {
  it("is absent where the cluster follows the branch that is committed to", () => {
    expect(promotionNote({ follows: "main" }, "main")).toBeUndefined();
  });

  it("names both branches and the merge that is missing", () => {
    expect(promotionNote({ follows: "prod" }, "main")).toBe(
      "The files are committed to main; the cluster follows prod, and gets them by promotion: merge main into prod.",
    );
  });
});
