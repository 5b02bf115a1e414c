/** What a preview said, out of the engine's events. */
export interface Preview {
  readonly violations: readonly Violation[];
  /** Errors of program and engine. */
  readonly errors: readonly string[];
  /** Resources by what happens to them, such as `create`; absent where the preview did not get that far. */
  readonly changes?: Readonly<Record<string, number>>;
}

/** What a policy found. */
export interface Violation {
  readonly urn: string;
  readonly policy: string;
  /** Whether it stops an update. */
  readonly mandatory: boolean;
  readonly message: string;
}

interface EngineEvent {
  readonly diagnosticEvent?: { readonly severity: string; readonly message: string };
  readonly policyEvent?: {
    readonly resourceUrn?: string;
    readonly policyName: string;
    readonly enforcementLevel: string;
    readonly message: string;
  };
  readonly summaryEvent?: { readonly resourceChanges?: Readonly<Record<string, number>> };
}

/** Reads what `pulumi preview --event-log FILE` wrote: a JSON document a line. Throws SyntaxError for anything else. */
export function readPreview(text: string): Preview {
  const events = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as EngineEvent);
  const changes = events.findLast(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent
    ?.resourceChanges;
  return {
    violations: events.flatMap(({ policyEvent }) => {
      if (policyEvent === undefined) return [];
      const { resourceUrn = "", policyName, enforcementLevel, message } = policyEvent;
      const mandatory = enforcementLevel === "mandatory";
      return [{ urn: resourceUrn, policy: policyName, mandatory, message: plain(message) }];
    }),
    errors: events.flatMap(({ diagnosticEvent }) =>
      diagnosticEvent?.severity === "error" ? [plain(diagnosticEvent.message)] : [],
    ),
    ...(changes !== undefined && { changes }),
  };
}

/** The engine marks colours as `<{%fg 1%}>`. */
function plain(text: string): string {
  return text.replace(/<\{%[^%]*%\}>/g, "").trim();
}
