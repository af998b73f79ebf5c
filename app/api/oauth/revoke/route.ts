export { handleRevocation as POST } from "@/server/oauth/token";
