/** Says why git would not take a name for a branch (git-check-ref-format), or undefined. */
export function branchFault(name: string): string | undefined {
  if (name === "") return "is empty; write a branch, such as main";
  if (name.startsWith("refs/")) return "is a full ref; write the short name, such as main";
  if (name === "@" || name === "HEAD") return "is not a name for a branch; write one such as main";
  return nameFault(name);
}

/** The same for a tag. */
export function tagFault(name: string): string | undefined {
  if (name === "") return "is empty; write a tag, such as v1.4.0";
  if (name.startsWith("refs/")) return "is a full ref; write the short name, such as v1.4.0";
  return nameFault(name);
}

/** The same for a full ref. */
export function refFault(name: string): string | undefined {
  if (!/^refs\/./.test(name))
    return "is not a full ref; write one such as refs/heads/main or refs/pull/1/head";
  return nameFault(name);
}

function nameFault(name: string): string | undefined {
  if (/[\s\p{Cc}~^:?*[\\]/u.test(name))
    return "has a space, a control character or one of ~ ^ : ? * [ \\, which git refuses";
  if (/^[-+]/.test(name)) return "begins with - or +, which git would read as something else";
  if (name.includes("..") || name.includes("@{") || name.includes("//"))
    return "has .., @{ or //, which git refuses";
  if (name.endsWith(".") || name.startsWith("/") || name.endsWith("/"))
    return "begins or ends with / or ends with ., which git refuses";
  if (name.split("/").some((part) => part.startsWith(".") || part.endsWith(".lock"))) {
    return "has a part that begins with . or ends with .lock, which git refuses";
  }
  return name.isWellFormed() ? undefined : "has half of a character; write it as Unicode";
}
