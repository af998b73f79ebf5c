/** HTTP with SSE of protocol version 2024-11-05, which many servers still have only. */
import { SSEClientTransport, type FetchLike, type Transport } from "@modelcontextprotocol/client";

/** Creates a transport, to be started once. A stream that ends closes it: another stream would be another session. */
export const createSseTransport = (url: URL, fetch: FetchLike): Transport => {
  let isOpened = false;

  const fetchOnce: FetchLike = async (input, init) => {
    if (init?.method === "POST") return fetch(input, init);
    if (isOpened) {
      void transport.close();

      // Tells the event source not to connect again.
      return new Response(null, { status: 204 });
    }
    isOpened = true;

    return fetch(input, init);
  };
  // oxlint-disable-next-line typescript/no-deprecated -- the only client of the old protocol
  const transport: Transport = new SSEClientTransport(url, { fetch: fetchOnce });

  return transport;
};
