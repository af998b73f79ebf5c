import { createHash } from "node:crypto";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand } from "./host";
import { deliver } from "./installed";
import { formatJsonLine } from "./problem";

export const runVerifierCommand: CliCommand = async (argv, host) => {
  const { text } = parseArguments(argv, null, { out: "string" });
  const file = text("out");
  if (file === null) throw new CliFailure("--out FILE is required");
  const html = await host.verifierHtml();
  await deliver(host, html, file, ". Open it in a browser");
  await host.out(formatJsonLine({ file, sha256: createHash("sha256").update(html).digest("hex"), bytes: Buffer.byteLength(html) }));

  return 0;
};
