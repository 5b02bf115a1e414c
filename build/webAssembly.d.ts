/** What the builder needs of WebAssembly, which Node has and only the types of browsers declare. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  class Module {
    private readonly isModule: true;
    static imports(module: Module): { readonly module: string; readonly name: string }[];
  }
  class Instance {
    readonly exports: Readonly<Record<string, unknown>>;
    constructor(module: Module, imports: Imports);
  }
  type Imports = Readonly<Record<string, Readonly<Record<string, (...args: never[]) => unknown>>>>;
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
}
