/** A table as spreadsheets write it: what its columns are called, and its rows, each with its line. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
  /** Quotes that do not stand around a whole cell, each with its line: whole rows may be in such a cell. */
  readonly faults: readonly { readonly line: number; readonly message: string }[];
}

/**
 * Reads comma-separated values, or with semicolons in the header those (spreadsheets of half of Europe). Cells in quotes may
 * hold separators, line breaks and quotes (`""`). Empty lines are passed over.
 */
export function parseTable(text: string): Table {
  const body = text.replace(/^\uFEFF/, "");
  const header = body.slice(0, body.search(/[\r\n]|$/));
  const separator = header.includes(";") ? ";" : ",";
  const rows: { line: number; cells: string[] }[] = [];
  let [line, started] = [1, 1];
  let cells: string[] = [];
  let cell = "";
  let quoted = false;
  /** Line of the quote before the cell; 0 where it has none. */
  let opened = 0;
  const faults: { line: number; message: string }[] = [];
  const endRow = (): void => {
    cells.push(cell.trim());
    if (cells.some((one) => one !== "")) rows.push({ line: started, cells });
    [cells, cell, started, opened] = [[], "", line, 0];
  };
  for (let at = 0; at < body.length; at++) {
    const char = body[at] ?? "";
    if (char === "\n") line++;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (body[at + 1] === '"') cell += body[++at] ?? "";
      else quoted = false;
    } else if (char === separator) {
      cells.push(cell.trim());
      [cell, opened] = ["", 0];
    } else if (char === "\n") endRow();
    else if (opened > 0 && char.trim() !== "") {
      const message = `The quote of line ${opened} ends before the cell does. Write "" for a quote in a cell.`;
      faults.push({ line, message });
      break;
    } else if (char === '"' && cell.trim() === "") [quoted, opened] = [true, line];
    else if (char !== "\r") cell += char;
  }
  if (quoted) faults.push({ line: opened, message: "A quote begins here and does not end. Add the other." });
  endRow();
  const [first, ...others] = rows;
  return { columns: first?.cells ?? [], rows: others, faults };
}
