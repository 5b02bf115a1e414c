/** Says why git would not take a name for a branch (git-check-ref-format), or undefined. */
export function branchFault(name: string): string | undefined {
  if (name === "") return "is empty; write a branch, such as main";
  if (/[\s\p{Cc}~^:?*[\\]/u.test(name))
    return "has a space, a control character or one of ~ ^ : ? * [ \\, which git refuses";
  if (name.startsWith("refs/")) return "is a full ref; write the short name, such as main";
  if (/^[-+]/.test(name) || name === "@" || name === "HEAD")
    return "is no name for a branch; write one such as main";
  if (name.includes("..") || name.includes("@{") || name.includes("//"))
    return "has .., @{ or //, which git refuses";
  if (name.endsWith(".") || name.startsWith("/") || name.endsWith("/"))
    return "begins or ends with / or ends with ., which git refuses";
  if (name.split("/").some((part) => part.startsWith(".") || part.endsWith(".lock"))) {
    return "has a part that begins with . or ends with .lock, which git refuses";
  }
  return name.isWellFormed() ? undefined : "has half of a character; write it as Unicode";
}
