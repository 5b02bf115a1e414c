export declare const engineTool: { readonly name: string; readonly binary: string };
export declare function engineVersion(folder: string): string;
