// node fetchFile.mjs URL FILE SECONDS
// Writes what URL gives to FILE. Gives up when SECONDS pass without an answer or without a further
// piece of it. Exit 1 with one line on why.
import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

const [url, file, seconds] = process.argv.slice(2);
const patience = new AbortController();
const giveUp = () => patience.abort(new Error(`no answer within ${seconds} s`));
let timer = setTimeout(giveUp, Number(seconds) * 1000);

try {
  const answer = await fetch(url, { signal: patience.signal });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const watch = new Transform({
    transform(chunk, _encoding, done) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, Number(seconds) * 1000);
      done(null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(answer.body), watch, createWriteStream(file), { signal: patience.signal });
} catch (error) {
  const cause = patience.signal.reason ?? error.cause ?? error;
  console.error(cause.code ?? cause.message);
  process.exitCode = 1;
}
clearTimeout(timer);
