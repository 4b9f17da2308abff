//! Starting, stopping, configuration and files.
