import { runBundled } from "./bundled.ts";

await runBundled("all", "./bench/main.ts");
