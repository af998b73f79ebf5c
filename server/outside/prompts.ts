import type { Prompt } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Caller } from "./caller";
import { buildInstructions } from "./instructions";

type OwnPrompt = {
  readonly wire: Prompt & { readonly description: string };
  readonly read: (args: unknown) => ((caller: Caller) => string) | null;
};

const prompt = <S extends z.ZodObject>(
  wire: OwnPrompt["wire"],
  schema: S,
  write: (caller: Caller, args: z.output<S>) => string,
): OwnPrompt => ({
  wire,
  read: (args) => {
    const { data } = schema.safeParse(args);

    return data === undefined ? null : (caller) => write(caller, data);
  },
});

export const PROMPTS: readonly OwnPrompt[] = [
  prompt(
    {
      name: "drive",
      title: "Drive this workflow",
      description: "Starts a run and takes its actions until it ends.",
      arguments: [{ name: "goal", description: "What the run should achieve.", required: false }],
    },
    z.strictObject({ goal: z.string().max(2_000).optional() }),
    (caller, { goal = "" }) =>
      [buildInstructions(caller), goal === "" ? "" : `\n# Goal\n${goal}`, "\nTake the first action now."].filter(Boolean).join("\n"),
  ),
  prompt(
    {
      name: "resume",
      title: "Resume a session",
      description: "Continues the run of an earlier session.",
      arguments: [{ name: "session", description: "The session, as an earlier answer named it.", required: true }],
    },
    z.strictObject({ session: z.uuid() }),
    (caller, { session }) => `${buildInstructions(caller)}\n\nCall state with the session ${session}, then go on from what it answers.`,
  ),
];

export const findPrompt = (
  name: string,
  args: unknown,
): { readonly description: string; readonly text: (caller: Caller) => string } | null => {
  const found = PROMPTS.find(({ wire }) => wire.name === name);
  const text = found?.read(args);

  return found && text ? { description: found.wire.description, text } : null;
};
