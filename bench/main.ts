/** `npm run bench -- [--only a,b] [--peers all|none|a,b] [--quick] [--json]`. Progress goes to stderr. */
import { CHILDREN } from "./children";

const args = process.argv.slice(2);
const [first, child = "", order = "{}"] = args;
if (first === "--child") process.stdout.write(`${JSON.stringify(await CHILDREN[child]?.(order))}\n`);
else await (await import("./ask")).carryOut(args);
