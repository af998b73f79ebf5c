/** `npm run dev`: plain JavaScript for any Node, like bin/start.mjs. */
const { runOnGoodNode } = await import("./ready/run.mjs");

await runOnGoodNode(new URL("./dev/main.ts", import.meta.url));
