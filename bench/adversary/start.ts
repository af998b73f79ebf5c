import { env } from "node:process";
import { runBundled } from "../bundled.ts";

// Stdout is for what came of it, and the product's own words about what is done to it are not.
env["LOG_LEVEL"] = "silent";
await runBundled("adversary");
