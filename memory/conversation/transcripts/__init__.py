"""Read and write the session files of coding agents."""
