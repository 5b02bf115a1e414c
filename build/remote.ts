/** What kustomize takes for a place in the network, when it stands where a path may stand. */
const forms = [
  /^(git::|gh:|ssh:\/\/|https?:\/\/|git:\/\/|git@|github\.com[:/])/i,
  /^[\w.-]+@[\w.-]+:/,
  /[?&](ref|version|timeout|submodules)=/,
  /^[\w-]+(\.[\w-]+)+\/.+\.git(\/|$|\?)/,
];

/** Whether a text is a place in the network for kustomize, such as `https://…` or `github.com/org/repo?ref=v1`. */
export function isRemote(text: string): boolean {
  return forms.some((form) => form.test(text));
}
