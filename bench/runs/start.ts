import { runBundled } from "../bundled.ts";

await runBundled("runs");
