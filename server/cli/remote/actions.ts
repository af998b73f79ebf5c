import type { CliCommand, CliHost } from "@/server/cli/host";
import { formatJsonLine } from "@/server/cli/problem";

type Action = (argv: readonly string[], host: CliHost) => Promise<unknown>;

/** Prints what the named action returns; none: the list. */
export const createActions =
  (actions: Readonly<Record<string, Action>> & { readonly list: Action }): CliCommand =>
  async (argv, host) => {
    const [name = "", ...rest] = argv;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    await host.out(formatJsonLine(await (action ? action(rest, host) : actions.list(argv, host))));

    return 0;
  };
