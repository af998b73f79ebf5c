/** For any Node. */
const { runOnGoodNode } = await import("./ready/run.mjs");

await runOnGoodNode(new URL("./set-up/main.ts", import.meta.url));
