/** Runs in a container's network namespace. */
import net from "node:net";

const [, , port, proxy] = process.argv;
if (proxy === undefined) throw new Error("a relay is started by the broker of containers");

const server = net.createServer((client) => {
  const upstream = net.connect(proxy);
  const end = (): void => {
    client.destroy();
    upstream.destroy();
  };
  for (const socket of [client, upstream]) socket.on("error", end).once("close", end);
  client.pipe(upstream).pipe(client);
});
server.listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
process.stdin.resume().once("close", () => process.exit(0));
