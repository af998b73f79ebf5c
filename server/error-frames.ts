const NAME = /^\w{1,60}$/u;

/** Name and frames without the message, which may quote a run's value (`JSON.parse` does). */
export const describeErrorFrames = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  const name = NAME.test(error.name) ? error.name : "Error";
  const { stack = "", message } = error;
  const at = stack.indexOf(message);
  // The message may be changed after the stack was taken.
  const frames = at < 0 ? "" : stack.slice(at + message.length);
  const lines = frames.split("\n").filter((line) => /^\s+at .+:\d+:\d+\)?$/u.test(line));

  return [name, ...lines].join("\n");
};
