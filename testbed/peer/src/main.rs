//! Serves a bucket through the published crates of Mountpoint for Amazon S3, in the foreground, until it is unmounted or
//! asked to end. Benchmarks and the differential test use it as the real mount-s3, whose program is not published: every
//! setting that is no option here is what mount-s3 runs with by default.
//!
//! Keys come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), as everywhere with AWS.

use std::path::PathBuf;

use anyhow::Context;
use clap::{CommandFactory, FromArgMatches, Parser};
use mountpoint_s3_client::config::{AddressingStyle, TlsConfig};
use mountpoint_s3_client::user_agent::UserAgent;
use mountpoint_s3_fs::data_cache::DataCacheConfig;
use mountpoint_s3_fs::fs::{CacheConfig, TimeToLive};
use mountpoint_s3_fs::fuse::config::{FuseOptions, FuseSessionConfig, MountPoint};
use mountpoint_s3_fs::fuse::session::FuseSession;
use mountpoint_s3_fs::logging::{self, LoggingConfig};
use mountpoint_s3_fs::memory::{
    CandidateSize, MINIMUM_MEM_LIMIT, PagedPool, effective_total_memory,
};
use mountpoint_s3_fs::s3::config::{
    ClientConfig, MemoryLimitSetting, PartConfig, Region, TargetThroughputSetting,
};
use mountpoint_s3_fs::s3::{Bucket, Prefix, S3Path, S3Personality};
use mountpoint_s3_fs::{
    MountpointConfig, Runtime, S3FilesystemConfig, Superblock, SuperblockConfig, metrics,
};

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// jemalloc reads this name at start; the values are those of mount-s3.
#[unsafe(export_name = "_rjem_malloc_conf")]
pub static ALLOCATOR_SETTINGS: &[u8] = b"abort_conf:true,background_thread:true,narenas:32\0";

const MEBIBYTE: usize = 1024 * 1024;

/// What mount-s3 takes of the memory it may use when nobody says how much.
const SHARE_OF_MEMORY: f64 = 0.95;

#[derive(Parser, Debug)]
#[command(about = "Serves a bucket through the published crates of Mountpoint for Amazon S3")]
struct Arguments {
    bucket: String,
    directory: PathBuf,

    #[arg(long)]
    endpoint_url: String,

    #[arg(long)]
    region: String,

    #[arg(long)]
    allow_delete: bool,

    #[arg(long)]
    allow_overwrite: bool,

    /// Bytes of one GET or of one part of an upload
    #[arg(long, default_value_t = 8 * MEBIBYTE)]
    part_size: usize,

    /// MiB to stay within
    #[arg(long)]
    memory_target: Option<usize>,

    /// Seconds for which metadata is taken from memory; also "minimal" and "indefinite"
    #[arg(long, default_value = "minimal", value_parser = TimeToLive::new_from_str)]
    metadata_ttl: TimeToLive,

    /// Certificate authorities to trust instead of those of the system, in PEM
    #[arg(long)]
    ca_bundle: Option<PathBuf>,

    /// Most threads that read requests of the kernel
    #[arg(long, default_value_t = 16)]
    max_threads: usize,
}

impl Arguments {
    fn of_this_process() -> anyhow::Result<Self> {
        let matches = Arguments::command()
            .version(&*versions().leak())
            .get_matches();
        Ok(Arguments::from_arg_matches(&matches)?)
    }

    fn memory_limit(&self) -> MemoryLimitSetting {
        match self.memory_target {
            Some(mebibytes) => MemoryLimitSetting::User(mebibytes * MEBIBYTE),
            None => {
                let share = effective_total_memory() as f64 * SHARE_OF_MEMORY;
                MemoryLimitSetting::Default((share as usize).max(MINIMUM_MEM_LIMIT))
            }
        }
    }

    fn client(&self) -> anyhow::Result<ClientConfig> {
        Ok(ClientConfig {
            region: Region::new_user_specified(self.region.clone()),
            endpoint_url: Some(self.endpoint_url.clone()),
            addressing_style: AddressingStyle::Path,
            dual_stack: false,
            transfer_acceleration: false,
            auth_config: Default::default(),
            requester_pays: false,
            expected_bucket_owner: None,
            throughput_target: TargetThroughputSetting::Default,
            bind: None,
            part_config: PartConfig::with_part_size(self.part_size)
                .validate(self.memory_limit())?,
            user_agent: UserAgent::new(Some("mountpoint-peer".to_owned())),
            tls_config: self
                .ca_bundle
                .as_ref()
                .map(|path| TlsConfig::new().with_trust_store_path(path)),
        })
    }

    fn file_system(&self, personality: S3Personality) -> S3FilesystemConfig {
        S3FilesystemConfig {
            cache_config: CacheConfig::new(self.metadata_ttl),
            allow_delete: self.allow_delete,
            allow_overwrite: self.allow_overwrite,
            s3_personality: personality,
            ..Default::default()
        }
    }
}

/// The versions of the crates that do the work, as this program was built with them.
fn versions() -> String {
    let lines: Vec<&str> = include_str!("../Cargo.lock").lines().collect();
    let packages = lines.windows(2).filter_map(|pair| {
        let name = pair[0].strip_prefix("name = \"")?.strip_suffix('"')?;
        let version = pair[1].strip_prefix("version = \"")?.strip_suffix('"')?;
        name.starts_with("mountpoint-s3-")
            .then(|| format!("{name} {version}"))
    });
    packages.collect::<Vec<_>>().join(", ")
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::of_this_process()?;
    let _logging = logging::init_logging(LoggingConfig {
        log_file: None,
        log_to_stdout: true,
        default_filter: "warn,awscrt=off,fuser=error".to_owned(),
    })?;
    // mount-s3 always counts, so its peer does too.
    let _metrics = metrics::install(None)?;
    let session = mount(&arguments)?;
    println!(
        "{} is mounted at {}",
        arguments.bucket,
        arguments.directory.display()
    );
    session.join()
}

fn mount(arguments: &Arguments) -> anyhow::Result<FuseSession> {
    let path = S3Path::new(Bucket::new(&arguments.bucket)?, Prefix::empty());
    let client = arguments.client()?;
    let pool = PagedPool::config()
        .with_candidate_sizes([
            CandidateSize::prunable(client.part_config.read_size_bytes),
            CandidateSize::new(client.part_config.write_size_bytes),
        ])
        .with_memory_limit(arguments.memory_limit().bytes())
        .build();
    // With a path, the bucket is looked at before anything is mounted.
    let client = client
        .create_client(pool.clone(), Some(&path))
        .with_context(|| {
            format!(
                "cannot reach bucket {} at {}",
                arguments.bucket, arguments.endpoint_url
            )
        })?;
    let runtime = Runtime::new(client.event_loop_group());
    let personality =
        S3Personality::infer_from_bucket(&arguments.bucket, &client.endpoint_config());
    let file_system = arguments.file_system(personality);
    let superblock = Superblock::new(
        client.clone(),
        path,
        SuperblockConfig {
            cache_config: file_system.cache_config.clone(),
            s3_personality: personality,
        },
    );
    let session = FuseSessionConfig::new(
        MountPoint::new(&arguments.directory)?,
        FuseOptions::default(),
        arguments.max_threads,
    )?;
    // A session that was made listens to SIGTERM and SIGINT by itself.
    MountpointConfig::new(session, file_system, DataCacheConfig::default())?
        .create_fuse_session(superblock, client, runtime, pool)
}
