import { z } from "zod";

export const pageOriginSchema = z.string().max(300);

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;

export type PasskeyHost = { readonly ok: true; readonly rpId: string } | { readonly ok: false; readonly why: string };

const isOwnMachine = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

/** Returns an origin's passkey domain; browsers require a domain name and secure context. */
export const getPasskeyHost = (origin: string): PasskeyHost => {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) return { ok: false, why: "Passkeys can't be used at this page's address." };
  if (ADDRESS.test(url.hostname)) {
    const there = url.port === "" ? "localhost" : `localhost:${url.port}`;

    return {
      ok: false,
      why: `Passkeys don't work at ${url.hostname}. Open this page at ${there}, or under a domain name with https.`,
    };
  }
  if (url.protocol !== "https:" && !isOwnMachine(url.hostname)) {
    return { ok: false, why: "Passkeys need https. Over plain http, others on the network could change this page." };
  }

  return { ok: true, rpId: url.hostname };
};

/** Returns whether a host can use a domain's passkeys. */
export const isUsableAt = (rpId: string, host: string): boolean => host === rpId || host.endsWith(`.${rpId}`);
