import { describe, expect, it } from "vitest";
import { loadFleet } from "../../fleet/load.ts";
import { fleetText } from "./fixture.ts";

const repository = (value: object) =>
  fleetText().replace(/^repository:.*$/m, `repository: ${JSON.stringify(value)}`);
const findings = (value: object) => loadFleet(repository(value), "fleet.yaml").findings;
const url = "https://git.example.com/edge/fleet.git";

describe("repository.url", () => {
  it.each([
    [url, "public"],
    ["http://127.0.0.1:8080/fleet.git", "token"],
    ["file:///srv/git/fleet.git", "public"],
    ["/srv/git/fleet.git", "public"],
    ["ssh://git@git.example.com:7999/edge/fleet.git", "ssh"],
    ["git@git.example.com:edge/fleet.git", "ssh"],
  ])("may be %s with access %s", (value, access) => {
    expect(findings({ url: value, access })).toEqual([]);
  });

  // What stands on the clone buttons, and what is made of it.
  it.each([
    ["https://edge@dev.azure.com/edge/shop/_git/fleet", "https://dev.azure.com/edge/shop/_git/fleet"],
    [
      "https://edge@dev.azure.com/edge/My%20Shop/_git/fleet",
      "https://dev.azure.com/edge/My%20Shop/_git/fleet",
    ],
    ["https://edge.visualstudio.com/shop/_git/fleet", "https://edge.visualstudio.com/shop/_git/fleet"],
    ["https://pat-doe@bitbucket.org/edge/fleet.git", "https://bitbucket.org/edge/fleet.git"],
    ["https://github.com/edge/fleet.git", "https://github.com/edge/fleet.git"],
    ["https://gitlab.com/edge/shops/fleet.git", "https://gitlab.com/edge/shops/fleet.git"],
    ["git@ssh.dev.azure.com:v3/edge/shop/fleet", "ssh://git@ssh.dev.azure.com/v3/edge/shop/fleet"],
    [
      "edge@vs-ssh.visualstudio.com:v3/edge/shop/fleet",
      "ssh://edge@vs-ssh.visualstudio.com/v3/edge/shop/fleet",
    ],
    ["git@github.com:edge/fleet.git", "ssh://git@github.com/edge/fleet.git"],
    ["git@gitlab.com:edge/shops/fleet.git", "ssh://git@gitlab.com/edge/shops/fleet.git"],
    ["git@bitbucket.org:edge/fleet.git", "ssh://git@bitbucket.org/edge/fleet.git"],
    ["ssh://git@git.example.com:7999/edge/fleet.git", "ssh://git@git.example.com:7999/edge/fleet.git"],
  ])("may be what a clone button gives, and so may that of a source: %s", (stated, made) => {
    const access = stated.startsWith("https") ? "public" : "ssh";
    const url = JSON.stringify(stated);
    const withSource = fleetText({
      top: `sources: { mirror: { kind: GitRepository, url: ${url}, ref: { tag: v1 } } }`,
      cluster: "sets: { a: { path: ./a, source: mirror, serviceAccountName: a } }",
    }).replace(/^repository:.*$/m, `repository: { url: ${url}, access: ${access} }`);
    const { fleet, findings } = loadFleet(withSource, "fleet.yaml");
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(fleet?.repository.url).toBe(access === "ssh" ? stated : made);
    expect(fleet?.clusters[0]?.sources.map(({ spec }) => spec["url"])).toEqual([made]);
  });

  it.each([
    "",
    "fleet.git",
    "ftp://git.example.com/fleet.git",
    "https://git.example.com",
    "https://git.example.com/a b",
    "file://host/path",
    "ext::sh -c id",
    "ssh://-oProxyCommand=id/x",
    "-oProxyCommand=id:x",
    "https://git.example.com/x#y",
  ])("is not %j", (value) => {
    expect(
      findings({ url: value, access: value.startsWith("ssh") ? "ssh" : "public" }).map(({ path }) => path),
    ).toEqual(["repository.url"]);
  });

  it.each([
    "https://x-access-token:S3CRET@git.example.com/fleet.git",
    "https://S3CRET@git.example.com/fleet.git",
    "https://S3CRET@dev.azure.com/edge/shop/_git/fleet",
    "https://ATBBS3CRETaaaaaaaaaaaaaaaaaaaaaaaaaa@bitbucket.org/edge/fleet.git",
    "https://edge:S3CRET@dev.azure.com/edge/shop/_git/fleet",
    "https://user:S3CR%2FET@git.example.com/fleet.git",
    "ssh://git:S3CRET@git.example.com/fleet.git",
    "user:S3CRET@git.example.com:fleet.git",
    "https://git.example.com/fleet.git?access_token=S3CRET",
    "https://S3CRET @git.example.com/fleet.git",
    "S3CRET",
  ])("with a credential in it is refused and not repeated: %s", (value) => {
    const found = loadFleet(
      repository({ url: value, access: /^(ssh|user)/.test(value) ? "ssh" : "public" }),
      "fleet.yaml",
    );
    expect(found.findings.map(({ path }) => path)).toEqual(["repository.url"]);
    expect(JSON.stringify(found)).not.toMatch(/S3CR/);
  });

  it("with a credential in it names the ways to hand it over", () => {
    const [{ message } = { message: "" }] = findings({ url: "https://u:S3CRET@git.example.com/fleet.git" });
    expect(message).toMatch(/ARCFLUX_GIT_TOKEN.*git credential helper.*stack config arcflux:repositoryToken/);
  });

  it("is not repeated when the YAML around it is broken either", () => {
    const text = 'apiVersion: arcflux/v1\nrepository:\n  url: "https://u:S3CRET@h/x"oops\n\tbranch: S3CRET\n';
    const found = loadFleet(text, "fleet.yaml");
    expect(found.findings).not.toEqual([]);
    expect(JSON.stringify(found)).not.toContain("S3CRET");
  });
});

describe("a secret in the wrong place", () => {
  it.each([
    fleetText().replace(/^repository:.*$/m, "repository: S3CRET"),
    fleetText().replace(/^repository:.*$/m, `repository: { url: ${url}, access: S3CRET }`),
    fleetText().replace(/^repository:.*$/m, `repository: { url: ${url}, branch: [S3CRET] }`),
    fleetText({ cluster: "kubeconfig: S3CRET" }),
    fleetText({ cluster: "kubeconfig: { config: 'users: [{token: S3CRET}]' }" }),
    fleetText({ cluster: 'kubeconfig: { context: "S3CRET\\u0007" }' }),
    fleetText({ cluster: "variables: { a: [S3CRET], b: { c: S3CRET } }" }),
    fleetText({ cluster: "variables: { 9: S3CRET }" }),
  ])("is in no message: %#", (text) => {
    const found = loadFleet(text, "fleet.yaml");
    expect(found.findings).not.toEqual([]);
    expect(JSON.stringify(found)).not.toContain("S3CRET");
  });
});

describe("the rest of repository", () => {
  it.each([
    [{ access: "ssh" }, "repository.access"],
    [{ url: "git@git.example.com:x", access: "token" }, "repository.access"],
    [{ url: "/srv/git/x", access: "token" }, "repository.access"],
    [{ url: "http://git.example.com/x", access: "token" }, "repository.access"],
    [{ access: "password" }, "repository.access"],
    [{ commit: { message: "" } }, "repository.commit.message"],
    [{ commit: { message: " \n\nUpdate" } }, "repository.commit.message"],
    // Nothing is left of it for a cluster without a stage.
    [{ commit: { message: "{stage}\n\nUpdate" } }, "repository.commit.message"],
    [{ commit: { message: "a\u0007b" } }, "repository.commit.message"],
    [{ commit: { message: "a\n\nArcflux-Stack: prod" } }, "repository.commit.message"],
    [{ commit: { message: 5 } }, "repository.commit.message"],
    [{ commit: { name: "..." } }, "repository.commit.name"],
    [{ commit: { name: "A <b>" } }, "repository.commit.name"],
    [{ commit: { name: "a\nb" } }, "repository.commit.name"],
    [{ commit: { email: "a b@c" } }, "repository.commit.email"],
  ])("%j is refused at %s", (value, path) => {
    expect(findings({ url, ...value }).map((finding) => finding.path)).toEqual([path]);
  });

  it("names the placeholder of a message that is none, and the one that was meant", () => {
    const [found, ...others] = findings({ url, commit: { message: "{operation} {clusters}: {changes}" } });
    expect(found!.message).toBe(
      '"{operation} {clusters}: {changes}" has the placeholder {clusters}; a message may hold {cluster}, {changes}, {count}, {directory}, {branch}, {stack}, {project}, {stage}, {operation}, {version}, {summary}. Did you mean {cluster}?',
    );
    expect(others).toEqual([]);
  });

  it.each([
    "",
    "a b",
    "a..b",
    "-x",
    "x.lock",
    ".x",
    "a/.b",
    "x/",
    "/x",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[",
    "a\\b",
    "@",
    "a@{b",
    "a//b",
    "refs/heads/main",
    "x.",
  ])("%j is no branch", (branch) => {
    expect(findings({ url, branch }).map((finding) => finding.path)).toEqual(["repository.branch"]);
  });

  it.each(["main", "feature/x-1", "v1.2", "größe", "user@host"])("%j is a branch", (branch) => {
    expect(findings({ url, branch })).toEqual([]);
  });
});
