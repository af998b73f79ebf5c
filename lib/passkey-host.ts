/** Where passkeys can be used at all: browsers tie them to a name, and to pages that nobody on the way could have changed. */
import { z } from "zod";

/** The page's own origin, as it says it. */
export const pageOriginSchema = z.string().max(300);

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;

export type PasskeyHost =
  | { readonly ok: true; readonly rpId: string }
  /** One sentence for whoever looks at the page. */
  | { readonly ok: false; readonly why: string };

const isOwnMachine = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

/** The domain that passkeys of a page of this origin are for, or why there can be none. */
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
