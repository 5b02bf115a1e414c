import { describe, expect, it } from "vitest";
import { gitEnvironment } from "../../git/access/environment.ts";
import { Redaction } from "../../git/words/redact.ts";

const url = "https://git.example.com:8443/edge/fleet.git";

/** The config that an environment passes, in order. */
const config = (env: NodeJS.ProcessEnv): [string, string][] =>
  Array.from({ length: Number(env["GIT_CONFIG_COUNT"]) }, (_, n) => [
    env[`GIT_CONFIG_KEY_${n}`] ?? "",
    env[`GIT_CONFIG_VALUE_${n}`] ?? "",
  ]);

describe("the environment of git", () => {
  it("keeps how the user reaches the server, and drops what points git elsewhere", () => {
    const users = {
      HOME: "/home/pat",
      GIT_SSL_CAINFO: "/etc/ca.pem",
      GIT_SSH_COMMAND: "ssh -i key",
      HTTPS_PROXY: "http://proxy:3128",
      GIT_CONFIG_GLOBAL: "/home/pat/other",
    };
    const env = gitEnvironment(
      {
        ...users,
        GIT_DIR: "/x",
        GIT_WORK_TREE: "/x",
        GIT_INDEX_FILE: "/x",
        GIT_CONFIG_PARAMETERS: "'a.b=c'",
      },
      url,
      undefined,
    );
    expect(env).toMatchObject({ ...users, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "" });
    expect(Object.keys(env).filter((name) => /DIR|WORK_TREE|INDEX|PARAMETERS/.test(name))).toEqual([]);
  });

  it("adds to the config the user passes in it", () => {
    const env = gitEnvironment(
      { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "http.proxy", GIT_CONFIG_VALUE_0: "x" },
      url,
      undefined,
    );
    expect(config(env)[0]).toEqual(["http.proxy", "x"]);
    expect(config(env)).toContainEqual(["core.hooksPath", "/dev/null"]);
  });

  it("never allows a transport that runs programs, and no more than the user does", () => {
    const transports = (env: NodeJS.ProcessEnv): unknown =>
      gitEnvironment(env, url, undefined)["GIT_ALLOW_PROTOCOL"];
    expect(transports({})).toBe("file:http:https:ssh");
    expect(transports({ GIT_ALLOW_PROTOCOL: "https:ext" })).toBe("https");
    expect(transports({ GIT_ALLOW_PROTOCOL: "ext" })).toBe("");
  });

  it("asks only our helper for the token, for that host and port, and names no value", () => {
    const credential = { username: "pat", token: "S3CRET" };
    const env = gitEnvironment({ ARCFLUX_GIT_TOKEN: "S3CRET" }, url, credential);
    const helpers = config(env).filter(([key]) => key.startsWith("credential."));
    expect(helpers.map(([key]) => key)).toEqual(
      Array(2).fill("credential.https://git.example.com:8443.helper"),
    );
    expect(helpers[0]?.[1]).toBe("");
    expect(JSON.stringify(config(env))).not.toContain("S3CRET");
    expect(env["ARCFLUX_GIT_TOKEN"]).toBe("S3CRET");
  });

  it("holds no token for other transports", () => {
    for (const other of [
      "/srv/fleet.git",
      "file:///srv/fleet.git",
      "git@host:fleet.git",
      "ssh://host/fleet.git",
    ]) {
      const env = gitEnvironment({ ARCFLUX_GIT_TOKEN: "S3CRET" }, other, {
        username: "pat",
        token: "S3CRET",
      });
      expect(JSON.stringify(env)).not.toContain("S3CRET");
    }
  });
});

describe("redaction", () => {
  const redaction = new Redaction();
  redaction.add("a/b=c", "u");

  it.each([
    ["plain a/b=c.", "plain ***."],
    ["encoded a%2Fb%3Dc and a%2fb%3dc", "encoded *** and ***"],
    ["Basic dTphL2I9Yw==", "Basic ***=="],
    ["token YS9iPWM=", "token ***="],
    ["https://pat:pw@host/x and http://tok@host", "https://***@host/x and http://***@host"],
    ["ssh://git:pw@host/x", "ssh://***@host/x"],
    ["ssh://git@host/x, git@host:x, https://host:1/a", "ssh://git@host/x, git@host:x, https://host:1/a"],
  ])("%s", (text, expected) => {
    expect(redaction.redact(text)).toBe(expected);
  });
});
