import { Lexer } from "yaml";
import { mayBeSecret } from "../values/secretShapes.ts";

/** What a file says beside its values, which nothing that is made of the values keeps. */
export interface Comments {
  readonly count: number;
  /** Where the first one is, from 1, and how it begins; empty where that could be a value that was commented out. */
  readonly line: number;
  readonly words: string;
}

/** Lines that tools write: heads of generated files, hints for editors, rulers. */
const ofTools =
  /^\W*$|\bgenerated\b.*\bby\b|\bdo not edit\b|^\s*(yaml-language-server|vim?|code|renovate|-\*-)\s*:|^\s*yamllint /i;

/** The lexer puts this before the text of a scalar, which may begin with a # of its own. */
const beforeScalar = "\u001f";

/** The comments of a YAML text, lines one below the other as one; undefined where only tools have written some. Never throws. */
export function commentsOf(text: string): Comments | undefined {
  let line = 1;
  let last = "";
  let lastLine = -1;
  let count = 0;
  let first: Comments | undefined;
  for (const lexeme of new Lexer().lex(text)) {
    const isComment = lexeme.startsWith("#") && last !== beforeScalar;
    const said = lexeme.replace(/^#+/, "");
    if (isComment && !ofTools.test(said)) {
      if (line !== lastLine + 1) count += 1;
      lastLine = line;
      first ??= { count: 0, line, words: wordsOf(said) };
    }
    last = lexeme;
    line += lexeme.split("\n").length - 1;
  }
  return first && { ...first, count };
}

/** The first words of prose, up to what could be a value. */
function wordsOf(comment: string): string {
  const [words = ""] = /^(?:\p{L}[\p{L}'’-]{0,15}[,;]?(?: |$)){1,6}/u.exec(comment.trim()) ?? [];
  return mayBeSecret(words) ? "" : words.trim().replace(/[,;]$/, "");
}

/** What is to be said of the comments of a file that goes. */
export function lostComments({ count, line, words }: Comments): string {
  const begin = words === "" ? "" : ` “${words} …”`;
  return count === 1
    ? `has a comment in line ${line}${begin}, which a fleet file does not keep; write it there where it still holds`
    : `has ${count} comments, the first in line ${line}${begin}, which a fleet file does not keep; write them there where they still hold`;
}
