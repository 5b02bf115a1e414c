import type { ArmError } from "../armError.ts";

/** An answer over HTTP. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON; none when absent. */
  readonly body?: unknown;
}

/** A refusal as ARM sends it. */
export function errorReply(error: ArmError): Reply {
  const { status, retryAfter } = error;
  return {
    status,
    body: { error: errorBody(error) },
    ...(retryAfter !== undefined && { headers: { "retry-after": String(Math.ceil(retryAfter)) } }),
  };
}

/** The object under `error`: with several faults each of them is a detail. */
export function errorBody({ code, text, faults }: ArmError): object {
  const [first, ...rest] = faults;
  return {
    code,
    message: text,
    ...(first !== undefined && rest.length === 0 && { target: first.target }),
    ...(rest.length > 0 && {
      details: faults.map(({ code, target, message }) => ({ code, target, message })),
    }),
  };
}
