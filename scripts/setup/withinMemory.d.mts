/** Something that needs memory while it is worked on. */
interface Item {
  readonly tool: { readonly memoryMegabytes: number; readonly recipe: string };
}

export function withinMemory<T extends Item, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  limits?: { readonly builds: number; readonly megabytes: number },
): Promise<R[]>;
