import { z } from "zod";

export type Client = {
  /** @throws Error unless 200 */
  page(path: string): Promise<string>;
  query(procedure: string, input?: object): Promise<unknown>;
  mutate(procedure: string, input: object): Promise<unknown>;
};

const PATIENCE_MS = 120_000;

const answerSchema = z.object({ result: z.object({ data: z.unknown() }) });

type Sent = { readonly body: string; readonly type: string };

/** @param cookies updated from answers */
const asking = (url: string, cookies: Map<string, string>) => async (path: string, sent?: Sent) => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, origin: url, ...(sent ? { "content-type": sent.type } : {}) };
  const how = sent ? { method: "POST", body: sent.body } : {};
  const response = await fetch(`${url}${path}`, { ...how, headers, redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
    cookies.set(name, value);
  }

  return response;
};

type Ask = ReturnType<typeof asking>;

const textOf = async (ask: Ask, path: string, sent?: Sent): Promise<string> => {
  const response = await ask(path, sent);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}: ${text.slice(0, 300)}`);

  return text;
};

const procedures = (ask: Ask): Pick<Client, "query" | "mutate"> => ({
  query: async (procedure, input = {}) => {
    const text = await textOf(ask, `/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`);

    return answerSchema.parse(JSON.parse(text)).result.data;
  },
  mutate: async (procedure, input) => {
    const text = await textOf(ask, `/api/trpc/${procedure}`, { body: JSON.stringify(input), type: "application/json" });

    return answerSchema.parse(JSON.parse(text)).result.data;
  },
});

/** For a fresh installation. */
export const openDemo = async (url: string): Promise<void> => {
  await procedures(asking(url, new Map())).mutate("setup.createDemo", {});
};

export const signedIn = async (url: string, role: "admin" | "builder" | "reviewer"): Promise<Client> => {
  const ask = asking(url, new Map());
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(JSON.parse(await textOf(ask, "/api/auth/csrf")));
  const body = new URLSearchParams({ csrfToken, role, second: "false", json: "true", callbackUrl: url });
  await ask("/api/auth/callback/demo", { body: body.toString(), type: "application/x-www-form-urlencoded" });

  return { page: (path) => textOf(ask, path), ...procedures(ask) };
};
