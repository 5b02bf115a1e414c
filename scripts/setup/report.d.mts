interface Reporter {
  line(text: string): void;
  detail(text: string): void;
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
}

export function reporter(options?: {
  readonly quiet?: boolean;
  readonly stream?: { readonly isTTY: boolean; write(text: string): void };
}): Reporter;
