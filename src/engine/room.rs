//! How much memory the system can spare. Systems grant more than they have and end whoever then uses it, so that asking
//! for memory is not enough. Where nothing is known of it, nothing is said.

use std::fs;

/// The MiB that this process may still take, as far as the system tells (Linux, with or without a container).
pub(super) fn spare_mib() -> Option<usize> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| machine(&text));
    let read = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok();
    let container =
        read("memory.max").zip(read("memory.current")).and_then(|(max, now)| container(&max, &now));
    machine.into_iter().chain(container).min()
}

/// From `/proc/meminfo`: what new processes could use without swapping.
fn machine(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kib >> 10)
}

/// From the files of a control group (version 2), which hold bytes, or `max` where there is no limit.
fn container(max: &str, current: &str) -> Option<usize> {
    let bytes = |text: &str| text.trim().parse::<usize>().ok();
    Some(bytes(max)?.saturating_sub(bytes(current)?) >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_understood() {
        let meminfo =
            "MemTotal:       16384000 kB\nMemFree:          500000 kB\nMemAvailable:    8192000 kB\n";
        assert_eq!(machine(meminfo), Some(8000));
        assert_eq!(machine("MemTotal: 5 kB"), None);
        assert_eq!(machine("MemAvailable: lots"), None);
        assert_eq!(container("536870912\n", "104857600\n"), Some(412));
        assert_eq!(container("100", "200"), Some(0));
        assert_eq!(container("max\n", "104857600\n"), None);
    }
}
