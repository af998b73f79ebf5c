import type { Readable, Writable } from "node:stream";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { isJSONRPCRequest, isJSONRPCResultResponse, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const MAX_BUFFER_BYTES = 4 * 1_048_576;
const UNREACHABLE = -32_000;

const initializedSchema = z.object({ protocolVersion: z.string().max(40) });

const noteVersion = (remote: StreamableHTTPClientTransport, message: JSONRPCMessage): void => {
  const initialized = isJSONRPCResultResponse(message) ? initializedSchema.safeParse(message.result).data : undefined;
  if (initialized) remote.setProtocolVersion(initialized.protocolVersion);
};

export type Bridge = {
  readonly url: URL;
  readonly token: string;
  readonly input: Readable;
  readonly output: Writable;
  /** Receives delivery failures; stdout is for messages only. */
  readonly onError: (sentence: string) => void;
};

/** Forwards stdio messages until the client closes its end. */
export const runBridge = async ({ url, token, input, output, onError }: Bridge): Promise<void> => {
  const local = new StdioServerTransport(input, output, { maxBufferSize: MAX_BUFFER_BYTES });
  const remote = new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
  const closed = new Promise<void>((resolve) => Object.assign(local, { onclose: resolve }));
  const undelivered = async (message: JSONRPCMessage): Promise<void> => {
    onError("The endpoint did not take the message: is the address right, and the token good?");
    if (!isJSONRPCRequest(message)) return;
    await local.send({ jsonrpc: "2.0", id: message.id, error: { code: UNREACHABLE, message: "The endpoint did not take the message." } });
  };
  const back = (message: JSONRPCMessage): void => {
    noteVersion(remote, message);
    void local.send(message).catch(() => undefined);
  };
  const forth = (message: JSONRPCMessage): void => void remote.send(message).catch(() => undelivered(message));
  Object.assign(remote, { onmessage: back });
  Object.assign(local, { onmessage: forth });
  await remote.start();
  await local.start();
  await closed;
  await remote.close();
};
