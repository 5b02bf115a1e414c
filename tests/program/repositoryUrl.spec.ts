import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadStackFleet } from "../../program/stackFleet.ts";
import { readStackSettings } from "../../program/stackSettings.ts";
import { fleetText } from "../fleet/fixture.ts";

const withPassword = "https://user:S3CRETpw@127.0.0.1:9/fleet.git";
const without = "http://127.0.0.1:9/fleet.git";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "arcflux-url-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the program says of a fleet file whose own URL this is, with a URL in stack config and one in the environment. */
async function refusal(own: string, inStack?: string, inEnvironment?: string): Promise<string> {
  const fleetFile = join(folder, "fleet.yaml");
  writeFileSync(fleetFile, fleetText().replace("https://git.example.com/edge/fleet.git", `"${own}"`));
  pulumi.runtime.setAllConfig({
    "arcflux:fleet": fleetFile,
    ...(inStack !== undefined && { "arcflux:repositoryUrl": inStack }),
  });
  const settings = readStackSettings(
    inEnvironment === undefined ? {} : { ARCFLUX_REPOSITORY_URL: inEnvironment },
  );
  return loadStackFleet(settings).then(
    () => "",
    (error: unknown) => (error as Error).message,
  );
}

describe("a URL with credentials in it", () => {
  it("is refused with the name of where it is set, and shown nowhere", async () => {
    const said = [
      await refusal(without, withPassword, without),
      await refusal(without, undefined, withPassword),
      await refusal(withPassword),
    ];
    expect(said[0]).toMatch(/correct it where it is set: stack config arcflux:repositoryUrl\)$/);
    expect(said[1]).toMatch(/correct it where it is set: ARCFLUX_REPOSITORY_URL in the environment\)$/);
    expect(said[2]).not.toContain("overrides");
    for (const text of said) {
      expect(text).toMatch(/fleet\.yaml:2:\d+: repository\.url: has credentials in it; .*ARCFLUX_GIT_TOKEN/);
      expect(text).not.toContain("S3CRET");
    }
  });

  it("is refused in the fleet file also while another takes its place, since the file is committed", async () => {
    const said = await refusal(withPassword, without);
    expect(said).toMatch(
      /repository\.url: has credentials in it; .*\(stack config arcflux:repositoryUrl overrides it, but this file is committed with it\)$/,
    );
    expect(said.split("\n")).toHaveLength(1);
    expect(await refusal(withPassword, undefined, without)).toContain(
      "(ARCFLUX_REPOSITORY_URL in the environment overrides it,",
    );
  });
});
