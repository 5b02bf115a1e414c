/**
 * What set-up says, on stderr so that a command's own output stays clean. On a terminal a running
 * step shows its seconds, the latest one when several run; elsewhere there is one line when it starts
 * and one when it ends.
 */
export function reporter({ quiet = false, stream = process.stderr } = {}) {
  const live = Boolean(stream.isTTY) && !process.env.CI;
  const running = []; // steps that a terminal's last line stands for
  let timer;
  const draw = () => {
    const step = running.at(-1);
    if (step === undefined) return;
    const others = running.length > 1 ? `, and ${running.length - 1} more` : "";
    stream.write(`\r\x1b[Kset-up: ${step.title} ... ${secondsSince(step.start, 0)}${others}`);
  };
  const line = (text) => {
    stream.write(`${running.length > 0 ? "\r\x1b[K" : ""}set-up: ${text}\n`);
    draw();
  };
  const begin = (step) => {
    running.push(step);
    draw();
    timer ??= setInterval(draw, 1000);
  };
  const end = (step) => {
    stream.write("\r\x1b[K");
    running.splice(running.indexOf(step), 1);
    if (running.length > 0) return draw();
    clearInterval(timer);
    timer = undefined;
  };
  return {
    line,
    /** A line that only matters to someone who watches. */
    detail: (text) => quiet || line(text),
    /** Runs one step and says what it does and how long it took. Slow steps show even when quiet. */
    async step(title, work) {
      const step = { title, start: Date.now() };
      if (live) begin(step);
      else line(`${title} ...`);
      let result;
      try {
        result = await work();
      } finally {
        if (live) end(step);
      }
      line(`${title}: done in ${secondsSince(step.start, 1)}`);
      return result;
    },
  };
}

const secondsSince = (start, digits) => `${((Date.now() - start) / 1000).toFixed(digits)} s`;
