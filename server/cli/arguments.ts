import { parseArgs, type ParseArgsConfig } from "node:util";
import { CliFailure } from "./host";

export type Arguments = {
  readonly operand: string;
  readonly text: (name: string) => string | null;
  readonly flag: (name: string) => boolean;
  readonly list: (name: string) => readonly string[];
};

type Options = Readonly<Record<string, "string" | "boolean" | "strings">>;

/** Parses arguments. @param operand null: none @throws CliFailure */
export const parseArguments = (argv: readonly string[], operand: string | null, options: Options): Arguments => {
  const config: ParseArgsConfig["options"] = Object.fromEntries(
    Object.entries(options).map(([name, type]) => [name, type === "strings" ? { type: "string", multiple: true } : { type }]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: config, allowPositionals: true, strict: true });
    if (operand === null && positionals.length > 0) throw new CliFailure(`this command takes no arguments, but got ${positionals.length}`);
    if (operand !== null && positionals.length !== 1)
      throw new CliFailure(`expected exactly one ${operand}, but got ${positionals.length}`);

    return {
      operand: positionals[0] ?? "",
      text: (name) => (typeof values[name] === "string" ? values[name] : null),
      flag: (name) => values[name] === true,
      list: (name) => {
        const given = values[name];

        return Array.isArray(given) ? given.filter((each) => typeof each === "string") : [];
      },
    };
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    throw new CliFailure(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error), error);
  }
};
