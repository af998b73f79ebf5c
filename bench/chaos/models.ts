/** OpenAI-like; on request slow, overloaded, gone, or incoherent. */
import http from "node:http";
import type { Random } from "@/bench/adversary/random";

export const MODEL = "openai-compatible:chaos";

type Message = { readonly role: string };
type Request = { readonly messages?: readonly Message[]; readonly tools?: readonly { readonly function: { readonly name: string } }[] };
type Call = { readonly name: string; readonly arguments: string };

const completion = (message: object, finish: string) => ({
  id: "chatcmpl",
  object: "chat.completion",
  created: 1,
  model: "chaos",
  choices: [{ index: 0, finish_reason: finish, message: { role: "assistant", ...message } }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
});

const calls = (...made: readonly Call[]) =>
  completion(
    { content: null, tool_calls: made.map((call, index) => ({ id: `c${index}`, type: "function", function: call })) },
    "tool_calls",
  );

const honest = ({ messages = [], tools = [] }: Request) => {
  const names = tools.map((tool) => tool.function.name);
  const wanted = ["world__look", "world__post"][messages.filter(({ role }) => role === "tool").length];

  return wanted !== undefined && names.includes(wanted)
    ? calls({ name: wanted, arguments: '{"text":"from the agent"}' })
    : completion({ content: "Done." }, "stop");
};

const WAYS = ["slow", "rate limited", "overloaded", "hang up", "no JSON", "an unknown tool", "wrong arguments", "nothing"] as const;

const json = (response: http.ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(typeof body === "string" ? body : JSON.stringify(body));
};

const misbehave = (way: (typeof WAYS)[number], request: Request, response: http.ServerResponse, random: Random): void => {
  switch (way) {
    case "slow":
      setTimeout(() => json(response, 200, honest(request)), 500 + random.int(3_000));

      return;
    case "rate limited":
      return json(response, 429, { error: { message: "slow down" } }, { "retry-after": "1" });
    case "overloaded":
      return json(response, 503, { error: { message: "overloaded" } });
    case "hang up":
      return void response.destroy();
    case "no JSON":
      return json(response, 200, "<html>");
    case "an unknown tool":
      return json(response, 200, calls({ name: "world__erase_everything", arguments: "{}" }));
    case "wrong arguments":
      return json(response, 200, calls({ name: "world__post", arguments: '{"texts":[1,2]}' }));
    case "nothing":
      return json(response, 200, completion({ content: "" }, "stop"));
    default:
      return way satisfies never;
  }
};

export type ModelServer = {
  readonly url: string;
  disturb(rate: number): void;
  readonly misdeeds: Readonly<Record<string, number>>;
  close(): void;
};

export const startModels = async (random: Random): Promise<ModelServer> => {
  const misdeeds: Record<string, number> = {};
  let rate = 0;
  const server = http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const asked = JSON.parse(body) as Request;
      if (!random.chance(rate)) return json(response, 200, honest(asked));
      const way = random.pick(WAYS);
      misdeeds[way] = (misdeeds[way] ?? 0) + 1;

      return misbehave(way, asked, response, random);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();

  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/v1`,
    disturb: (next) => {
      rate = next;
    },
    misdeeds,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
