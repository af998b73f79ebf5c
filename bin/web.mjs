/** `npm run web`: the web process of a fleet. Plain JavaScript for any Node, like bin/start.mjs. */
const { runOnGoodNode } = await import("./ready/run.mjs");

await runOnGoodNode(new URL("./web/main.ts", import.meta.url));
