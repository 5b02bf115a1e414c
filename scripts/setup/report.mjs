/**
 * What set-up says, on stderr so that a command's own output stays clean. On a terminal a running
 * step shows its seconds; elsewhere there is one line when it starts and one when it ends.
 */
export function reporter({ quiet = false, stream = process.stderr } = {}) {
  const live = Boolean(stream.isTTY) && !process.env.CI;
  let open; // the line that a running step rewrites
  const line = (text) => {
    stream.write(`${open === undefined ? "" : "\r\x1b[K"}set-up: ${text}\n`);
    if (open !== undefined) stream.write(open());
  };
  return {
    line,
    /** A line that only matters to someone who watches. */
    detail: (text) => quiet || line(text),
    /** Runs one step and says what it does and how long it took. Slow steps show even when quiet. */
    async step(title, work) {
      const start = Date.now();
      const seconds = (digits) => `${((Date.now() - start) / 1000).toFixed(digits)} s`;
      let timer;
      if (live) {
        const outer = open;
        const redraw = () => `\r\x1b[Kset-up: ${title} ... ${seconds(0)}`;
        open = redraw;
        stream.write(redraw());
        timer = setInterval(() => stream.write(redraw()), 1000);
        try {
          const result = await work();
          stream.write("\r\x1b[K");
          open = outer;
          line(`${title}: done in ${seconds(1)}`);
          return result;
        } catch (error) {
          stream.write("\r\x1b[K");
          open = outer;
          throw error;
        } finally {
          clearInterval(timer);
        }
      }
      line(`${title} ...`);
      const result = await work();
      line(`${title}: done in ${seconds(1)}`);
      return result;
    },
  };
}
