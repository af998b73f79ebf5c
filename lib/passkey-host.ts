/** Where passkeys can be used: browsers tie them to a domain and to secure pages. */
import { z } from "zod";

/** The page's own origin, as the page reports it. */
export const pageOriginSchema = z.string().max(300);

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;

export type PasskeyHost =
  | { readonly ok: true; readonly rpId: string }
  /** One sentence for the user. */
  | { readonly ok: false; readonly why: string };

const isOwnMachine = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

/** The passkey domain for a page of this origin, or why passkeys can't be used. */
export const passkeyHost = (origin: string): PasskeyHost => {
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

/** Whether a passkey of this domain can be used on pages of that host. */
export const isUsableAt = (rpId: string, host: string): boolean => host === rpId || host.endsWith(`.${rpId}`);
