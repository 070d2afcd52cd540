"""The screens, each with its .tcss, and their overlays, which share one."""
