import { runBridge } from "@/server/outside/bridge";
import { isToken } from "@/server/outside/token-form";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand } from "./host";

const urlOf = (text: string | null): URL => {
  const url = text !== null && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new CliFailure("--url expects the http or https address of the graph's endpoint");

  return url;
};

export const runMcpCommand: CliCommand = async (argv, host) => {
  const { text } = parseArguments(argv, null, { url: "string", "token-env": "string" });
  const url = urlOf(text("url"));
  const name = text("token-env") ?? "COUNTERSIGN_TOKEN";
  const token = host.secret(name) ?? "";
  if (!isToken(token)) throw new CliFailure(`environment variable ${name} does not contain a token`);
  await runBridge({
    url,
    token,
    input: host.input,
    output: host.output,
    onError: (sentence) => void host.err(`countersign: ${sentence}\n`),
  });

  return 0;
};
