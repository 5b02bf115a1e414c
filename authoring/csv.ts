/** A table as spreadsheets write it: what its columns are called, and its rows, each with its line. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
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
  const endRow = (): void => {
    cells.push(cell.trim());
    if (cells.some((one) => one !== "")) rows.push({ line: started, cells });
    [cells, cell, started] = [[], "", line];
  };
  for (let at = 0; at < body.length; at++) {
    const char = body[at] ?? "";
    if (char === "\n") line++;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (body[at + 1] === '"') cell += body[++at] ?? "";
      else quoted = false;
    } else if (char === '"' && cell.trim() === "") quoted = true;
    else if (char === separator) {
      cells.push(cell.trim());
      cell = "";
    } else if (char === "\n") endRow();
    else if (char !== "\r") cell += char;
  }
  endRow();
  const [first, ...others] = rows;
  return { columns: first?.cells ?? [], rows: others };
}
