import { computeProgramDigest, type Program } from "@/lib/mcp/program";
import { createPeer } from "@/server/ipc/peer";
import { BROKER_LIMITS, brokerProtocol } from "./protocol";
import { connectToBroker } from "./socket";

const ANSWER_MS = 30_000;

export const askBroker = async (home: string, program: Program): Promise<boolean> => {
  const socket = await connectToBroker(home).catch(() => null);
  if (!socket) return false;
  const peer = createPeer(socket, { serves: {}, handlers: {}, calls: brokerProtocol, limits: BROKER_LIMITS });
  socket.resume();
  try {
    const asked = { program: program.id, digest: computeProgramDigest(program) };

    return await peer.call("isPresent", asked, AbortSignal.timeout(ANSWER_MS));
  } catch {
    return false;
  } finally {
    peer.close();
  }
};
