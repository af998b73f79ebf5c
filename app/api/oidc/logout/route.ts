export { handleLogoutUrl as GET, handleProviderLogout as POST } from "@/server/auth/provider-logout";
