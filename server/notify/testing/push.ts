import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import http from "node:http";
import { once } from "node:events";
import { importJWK, jwtVerify } from "jose";
import type { Subscription } from "@/lib/notifications/browser";

/** A browser's half of RFC 8291. */
export const createSubscriber = (endpoint: string) => {
  const own = createECDH("prime256v1");
  own.generateKeys();
  const auth = randomBytes(16);
  const derive = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
  const subscription: Subscription = { endpoint, p256dh: own.getPublicKey("base64url"), auth: auth.toString("base64url") };

  return {
    subscription,
    decrypt: (sent: Buffer): string => {
      const [salt, idBytes] = [sent.subarray(0, 16), sent.readUInt8(20)];
      const [theirs, body] = [sent.subarray(21, 21 + idBytes), sent.subarray(21 + idBytes)];
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), theirs]);
      const secret = derive(own.computeSecret(theirs), auth, info, 32);
      const of = (name: string, length: number) => derive(secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), length);
      const decipher = createDecipheriv("aes-128-gcm", of("aes128gcm", 16), of("nonce", 12)).setAuthTag(body.subarray(-16));
      const plain = Buffer.concat([decipher.update(body.subarray(0, -16)), decipher.final()]);
      const end = plain.lastIndexOf(2);
      if (sent.length > 4_096 || end < 0 || plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("not a last record");

      return plain.subarray(0, end).toString("utf8");
    },
  };
};
type Subscriber = ReturnType<typeof createSubscriber>;

type Pushed = {
  readonly path: string;
  readonly text: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly subject: string | undefined;
};

const verifyVapid = async (authorization: string, audience: string, publicKey: string): Promise<string | undefined> => {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/u.exec(authorization) ?? [];
  const point = Buffer.from(key, "base64url");
  if (key !== publicKey || point.length !== 65) throw new Error("not the key of the subscription");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const { payload } = await jwtVerify(token, await importJWK({ kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" }, "ES256"), {
    audience,
    algorithms: ["ES256"],
  });
  if (payload.exp === undefined || payload.exp * 1_000 > Date.now() + 86_400_000) throw new Error("lasts longer than a day");

  return payload.sub;
};

export type PushStand = {
  readonly origin: string;
  readonly pushed: readonly Pushed[];
  readonly subscribe: (name: string, publicKey: string) => Subscription;
  readonly failWith: (name: string, status: number | null) => void;
  readonly close: () => Promise<void>;
};

/** Checks VAPID and decrypts as the browser would. */
export const openPush = async (port = 0): Promise<PushStand> => {
  const browsers = new Map<string, { readonly subscriber: Subscriber; readonly publicKey: string; status: number | null }>();
  const pushed: Pushed[] = [];
  let origin = "";
  const take = async (path: string, headers: http.IncomingHttpHeaders, body: Buffer): Promise<number> => {
    const browser = browsers.get(path.slice(1));
    if (!browser) return 404;
    if (browser.status !== null) return browser.status;
    if (headers["content-encoding"] !== "aes128gcm" || !/^\d+$/u.test(headers["ttl"]?.toString() ?? "")) return 400;
    try {
      const subject = await verifyVapid(headers.authorization ?? "", origin, browser.publicKey);
      pushed.push({ path, text: browser.subscriber.decrypt(body), headers, subject });

      return 201;
    } catch {
      return 403;
    }
  };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      void take(request.url ?? "", request.headers, Buffer.concat(chunks)).then((status) => response.writeHead(status).end());
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address === "object" && address) origin = `http://127.0.0.1:${address.port}`;

  return {
    origin,
    pushed,
    subscribe: (name, publicKey) => {
      const subscriber = createSubscriber(`${origin}/${name}`);
      browsers.set(name, { subscriber, publicKey, status: null });

      return subscriber.subscription;
    },
    failWith: (name, status) => {
      const browser = browsers.get(name);
      if (browser) browser.status = status;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
