/** Command line of the sources: builds its program when they changed. */
import type { runCli } from "../../server/cli/main.ts";
import { ROOT } from "../start/settings.ts";
import { cliProgram } from "./bundle.ts";
import { runCommandLine } from "./process.ts";

await runCommandLine({
  root: ROOT,
  homeBase: ROOT,
  verifierHtml: async () => (await import("../verifier/build.ts")).verifierHtml(ROOT),
  loadProgram: async () => (await import(await cliProgram(ROOT))) as { readonly runCli: typeof runCli },
});
