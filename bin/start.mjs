/** `npm start`: plain JavaScript for any Node, so that an old one gets a sentence instead of a syntax error. */
const { runOnGoodNode } = await import("./ready/run.mjs");

await runOnGoodNode(new URL("./start/main.ts", import.meta.url));
