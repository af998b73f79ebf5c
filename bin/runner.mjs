/** `npm run runner`: a runner of a fleet. Plain JavaScript for any Node, like bin/start.mjs. */
const { runOnGoodNode } = await import("./ready/run.mjs");

await runOnGoodNode(new URL("./runner/main.ts", import.meta.url));
