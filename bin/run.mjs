/** `node bin/run.mjs <entry.ts> …`, on any Node. */
const { runOnGoodNode } = await import("./ready/run.mjs");
const { writeErr } = await import("./terminal.mjs");

const [entry] = process.argv.splice(2, 1);

if (entry === undefined) {
  writeErr("usage: node bin/run.mjs <entry.ts> [arguments]\n");
  process.exit(1);
}

await runOnGoodNode(new URL(`../${entry}`, import.meta.url));
