import { lookup as systemLookup } from "node:dns/promises";
import net, { isIP, type LookupFunction, type Socket } from "node:net";
import { callbackify } from "node:util";
import { AppError } from "@/lib/errors";

export type Resolve = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;
export type MayReach = (address: string) => boolean;

export const createBlocked = (detail: string, message?: string): AppError =>
  new AppError("egress_blocked", { ...(message === undefined ? {} : { message }), cause: new Error(detail) });

const RESOLVES_ELSEWHERE = "The name resolves to an address that must not be reached.";

export const resolveWithSystem: Resolve = (host) => systemLookup(host, { all: true });

/** Refuses any disallowed answer: a mix is an attack. */
export const createCheckedLookup = (resolve: Resolve, mayReach: MayReach): LookupFunction => {
  const goodAnswers = callbackify(async (host: string) => {
    const answers = await resolve(host);
    const bad = answers.find(({ address }) => !mayReach(address));
    const [first] = answers;
    if (bad || !first) throw createBlocked(`${host} resolves to ${bad?.address ?? "nothing"}`, RESOLVES_ELSEWHERE);

    return { first, all: [...answers] };
  });

  return (host, options, callback) =>
    goodAnswers(host, (error, answers) => {
      if (error) return callback(error, "");
      if (options.all) return callback(null, answers.all);

      return callback(null, answers.first.address, answers.first.family);
    });
};

/** Keeps each name's first answer: a name that is rebound later leads where it led. */
export const pinAnswers = (resolve: Resolve): Resolve => {
  const pinned = new Map<string, ReturnType<Resolve>>();

  return (host) => {
    const known = pinned.get(host);
    if (known) return known;
    const answer = resolve(host);
    pinned.set(host, answer);
    answer.catch(() => pinned.delete(host));

    return answer;
  };
};

type Guard = { readonly mayReach: MayReach; readonly resolve: Resolve; readonly timeoutMs: number };

/** Connects to a checked address. @throws AppError("egress_blocked"), or the system's error */
export const connectChecked = (host: string, port: number, { mayReach, resolve, timeoutMs }: Guard): Promise<Socket> =>
  new Promise((done, fail) => {
    // Literals bypass the lookup hook.
    if (isIP(host) !== 0 && !mayReach(host)) return fail(createBlocked(`${host} is not allowed`));
    const socket = net.connect({ host, port, lookup: createCheckedLookup(resolve, mayReach), timeout: timeoutMs });
    const giveUp = (error: Error): void => {
      socket.destroy();
      fail(error);
    };
    socket.once("error", giveUp);
    socket.once("timeout", () => giveUp(new Error("the connection took too long")));
    socket.once("connect", () => {
      const peer = socket.remoteAddress ?? "";
      if (!mayReach(peer)) return giveUp(createBlocked(`connected to ${peer}`));
      socket.removeAllListeners("error");
      socket.removeAllListeners("timeout");
      socket.setTimeout(0);

      return done(socket);
    });
  });
